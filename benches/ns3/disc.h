// The idealised radio for ns-3: a disc, 11 Mbit/s for every frame, a queue of 100 frames, 1 us of
// propagation; no preamble, no acknowledgement, no contention.

#pragma once

#include "ns3/aodv-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/wifi-module.h"

#include <map>

namespace
{

using namespace ns3;

const double RANGE_M = 250;

Ipv4Address
AddressOf(Ptr<Node> node)
{
    return node->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
}

// How AODV learns that a unicast frame of the ideal radio is lost.
enum class Feedback
{
    NONE, // not at all: from missing hellos only
    WIFI, // as from Wi-Fi: heard if the receiver is in the list of neighbours, which it then leaves
    LINK, // every loss is a broken link, and the list of neighbours stays as it is
};

// Both ways in are private methods of the library's AODV, which only it and its Wi-Fi devices use. An
// explicit instantiation may name private members: no change to the library is needed.
struct FrameLost
{
    using Method = void (aodv::RoutingProtocol::*)(WifiMacDropReason, Ptr<const WifiMpdu>);
    friend Method Reached(FrameLost);
};

struct LinkBroken
{
    using Method = void (aodv::RoutingProtocol::*)(Ipv4Address);
    friend Method Reached(LinkBroken);
};

template <typename Key, typename Key::Method METHOD>
struct Reach
{
    friend typename Key::Method Reached(Key)
    {
        return METHOD;
    }
};

template struct Reach<FrameLost, &aodv::RoutingProtocol::NotifyTxError>;
template struct Reach<LinkBroken, &aodv::RoutingProtocol::SendRerrWhenBreaksLinkToNextHop>;

// The idealised radio's air: whoever is in range when a transmission ends receives it. Rate and
// queue are those of the devices, which call Send when a transmission ends.
class Disc : public SimpleChannel
{
  public:
    explicit Disc(Feedback feedback)
        : m_feedback(feedback)
    {
    }

    void Add(Ptr<SimpleNetDevice> device) override
    {
        SimpleChannel::Add(device);
        m_stations[Mac48Address::ConvertFrom(device->GetAddress())] = {
            device,
            device->GetNode()->GetObject<MobilityModel>()};
    }

    void Send(Ptr<Packet> packet,
              uint16_t protocol,
              Mac48Address to,
              Mac48Address from,
              Ptr<SimpleNetDevice> sender) override
    {
        const Station& source = m_stations.at(from);
        if (!to.IsGroup())
        {
            const Station& target = m_stations.at(to);
            if (InRange(source, target))
            {
                Deliver(target, packet, protocol, to, from);
            }
            else
            {
                ReportLoss(sender->GetNode(), packet, target);
            }
            return;
        }
        for (const auto& [address, target] : m_stations)
        {
            if (address != from && InRange(source, target))
            {
                Deliver(target, packet, protocol, to, from);
            }
        }
    }

  private:
    struct Station
    {
        Ptr<SimpleNetDevice> device;
        Ptr<MobilityModel> mobility;
    };

    static bool InRange(const Station& a, const Station& b)
    {
        return a.mobility->GetDistanceFrom(b.mobility) <= RANGE_M;
    }

    static void Deliver(const Station& target,
                        Ptr<Packet> packet,
                        uint16_t protocol,
                        Mac48Address to,
                        Mac48Address from)
    {
        Simulator::ScheduleWithContext(target.device->GetNode()->GetId(),
                                       MicroSeconds(1),
                                       &SimpleNetDevice::Receive,
                                       target.device,
                                       packet->Copy(),
                                       protocol,
                                       to,
                                       from);
    }

    void ReportLoss(Ptr<Node> node, Ptr<Packet> packet, const Station& target) const
    {
        auto router = PeekPointer(node->GetObject<aodv::RoutingProtocol>());
        if (m_feedback == Feedback::WIFI)
        {
            WifiMacHeader header;
            header.SetType(WIFI_MAC_DATA);
            header.SetAddr1(Mac48Address::ConvertFrom(target.device->GetAddress()));
            (router->*Reached(FrameLost()))(WIFI_MAC_DROP_REACHED_RETRY_LIMIT,
                                            Create<WifiMpdu>(packet, header));
        }
        else if (m_feedback == Feedback::LINK)
        {
            (router->*Reached(LinkBroken()))(AddressOf(target.device->GetNode()));
        }
    }

    Feedback m_feedback;
    std::map<Mac48Address, Station> m_stations;
};

NetDeviceContainer
InstallIdealRadio(const NodeContainer& nodes, Feedback feedback)
{
    auto air = CreateObject<Disc>(feedback);
    NetDeviceContainer devices;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        auto device = CreateObject<SimpleNetDevice>();
        device->SetAddress(Mac48Address::Allocate());
        device->SetAttribute("DataRate", StringValue("11Mbps"));
        auto queue = CreateObject<DropTailQueue<Packet>>();
        queue->SetMaxSize(QueueSize("100p"));
        device->SetQueue(queue);
        (*node)->AddDevice(device);
        device->SetChannel(air);
        devices.Add(device);
    }
    return devices;
}

} // namespace
